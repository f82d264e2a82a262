// args[0] serve: an idle Netty server on loopback; never: main waits for a promise that no code completes, the event loop has nothing to do;
// late: the same, and the event loop completes it after args[1] ms.
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.TimeUnit;

class Main {
  public static void main(String[] args) throws Exception {
    var group = new NioEventLoopGroup(1);
    if (args[0].equals("serve")) {
      var server = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class).childHandler(new ChannelInboundHandlerAdapter());
      server.bind("127.0.0.1", 0).sync().channel().closeFuture().sync();
      return;
    }
    Promise<String> promise = group.next().newPromise();
    // The event loop must be running.
    group.submit(() -> {}).sync();
    if (args[0].equals("late")) group.schedule(() -> promise.setSuccess("done"), Long.parseLong(args[1]), TimeUnit.MILLISECONDS);
    promise.sync();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }
}
