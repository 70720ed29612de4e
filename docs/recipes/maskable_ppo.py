"""MaskablePPO of sb3-contrib learns King's Court against other players, 64 games at once.

    python maskable_ppo.py [STEPS]

It prints now and then how often it beats random play and Page, and at the end Squire. It needs
`pip install quintain[sb3] sb3-contrib`.
"""

import sys
import time

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from quintain.envs.sb3 import VecBatch

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
GAMES, MEASURED, EVERY = 64, 100, 50_000
"""The games at once; the games of a measurement, and the steps between two."""


def share(model, other):
    """Return the share of games that a model wins against another player, who sits at the other seat."""
    envs = VecBatch("kings-court", MEASURED, learner=0, others=other)
    envs.seed(7)
    observed, won, over = envs.reset(), np.zeros(MEASURED), np.zeros(MEASURED, bool)
    while not over.all():
        masks = np.stack(envs.env_method("action_masks"))
        actions, _ = model.predict(observed, action_masks=masks, deterministic=True)
        observed, rewards, done, _ = envs.step(actions)
        won[done & ~over] = rewards[done & ~over] > 0
        over |= done
    return won.mean()


class Curve(BaseCallback):
    """Prints how the model fares, after every EVERY steps."""

    def _on_step(self):
        if self.num_timesteps // EVERY > (self.num_timesteps - GAMES) // EVERY:
            told = ", ".join(f"{share(self.model, other):.0%} against {other}" for other in ("random", "page"))
            print(f"{self.num_timesteps:,} steps, {time.process_time():.0f} CPU seconds: {told}", flush=True)
        return True


envs = VecBatch("kings-court", GAMES, learner=0, others=["random", "page"])
model = MaskablePPO(
    "MlpPolicy", envs, n_steps=128, batch_size=1024, learning_rate=1e-3, ent_coef=0.01, gamma=1.0, seed=1
)
model.learn(STEPS, callback=Curve())
print(f"after {model.num_timesteps:,} steps: {share(model, 'squire'):.0%} against squire")
