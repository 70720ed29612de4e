// Follows work that goes on in the server: a socket tells how far it is, and the page loads what is new, a while apart.
// `following(refresh, gap)` returns the function that listens at an address; `gap` are the milliseconds between two loads.
const following = (refresh, gap) => {
  let socket = null, loading = false, isStale = false;

  async function again() {
    isStale = true;
    if (loading) return;
    loading = true;
    while (isStale) {
      isStale = false;
      await Promise.all([refresh(), new Promise((resolve) => { setTimeout(resolve, gap); })]);
    }
    loading = false;
  }

  return (address) => {
    if (socket) return;
    const url = new URL(address, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    socket = new WebSocket(url);
    socket.addEventListener("message", again);
    socket.addEventListener("close", () => { socket = null; again(); });
  };
};
