# Event libraries of Python. argv[1] gevent, twisted, tornado: a server on loopback; glib: a timer every argv[2] ms; gevent-late: a greenlet sleeps
# argv[2] ms, then all is done; twisted-never, tornado-never, glib-never: the loop waits for a result that no code will give.
import sys

mode = sys.argv[1]
ms = int(sys.argv[2]) if len(sys.argv) > 2 else 0

if mode == "gevent":
    from gevent.server import StreamServer

    StreamServer(("127.0.0.1", 0), lambda peer, address: None).serve_forever()
elif mode == "gevent-late":
    import gevent

    gevent.joinall([gevent.spawn(gevent.sleep, ms / 1000)])
elif mode.startswith("twisted"):
    from twisted.internet import defer, protocol, reactor

    if mode == "twisted":
        reactor.listenTCP(0, protocol.Factory(), interface="127.0.0.1")
    else:
        defer.Deferred().addCallback(lambda _: reactor.stop())
    reactor.run()
elif mode.startswith("tornado"):
    import asyncio

    import tornado.web

    async def main():
        if mode == "tornado":
            tornado.web.Application([]).listen(0, "127.0.0.1")
            await asyncio.Event().wait()
        await asyncio.get_running_loop().create_future()

    asyncio.run(main())
else:
    from gi.repository import GLib

    if mode == "glib":
        GLib.timeout_add(ms, lambda: True)
    GLib.MainLoop().run()
