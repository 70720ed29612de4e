"""A server that is killed in the middle of a trial says so after its next start, and the bots can go on."""

import re
import time

from server.guests import PATIENCE, ServingProcess, wait_until
from server.workshop.test_workshop import begun, plain, post_card, shown


def test_a_trial_of_a_killed_server_says_that_it_stopped_and_goes_on_from_there(tmp_path):
    with ServingProcess(tmp_path) as server:
        ann = server.guest("Ann")
        url = begun(ann, "robin")
        post_card(ann, url, 0, **{"levels.1": "5"})

        def trial():
            time.sleep(0.5)  # the limits of a real server hold here
            return ann.get(f"{url}/balance.json").json()

        ann.post(f"{url}/balance", level="squire", to_end=True)
        wait_until(lambda: trial()["games"] > 3)
        server.kill()
        server.start()
        before = trial()["games"]
        assert before > 3
        wait_until(lambda: trial()["state"] != "working")
        assert trial()["state"] == "stopped" and trial()["games"] == before
        page = shown(ann, url)
        assert "Stopped: the server ended in the middle of the run; what is played is kept" in plain(page)
        assert re.search(r'<button class="button" id="bal-run">Go on</button>', page)
        again = ann.post(f"{url}/balance", level="squire", to_end=True)
        assert again.status_code == 200 and again.json()["state"] == "working", again.text
        until = time.monotonic() + PATIENCE
        while trial()["games"] <= before:
            assert time.monotonic() < until
        ann.post(f"{url}/balance/stop")
        assert trial()["problem"] == ""
