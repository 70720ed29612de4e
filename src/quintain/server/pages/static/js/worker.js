// The worker that shows notifications for bell.js: phones let no page do so itself. A touch of one leads to its page, which is
// still open somewhere.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const {href} = event.notification.data;
  event.waitUntil((async () => {
    const pages = await clients.matchAll({type: "window", includeUncontrolled: true});
    const page = pages.find((each) => each.url.split("#")[0] === href.split("#")[0]);
    return page ? page.focus() : clients.openWindow(href);
  })());
});
