import CTouchroute
import Configuration

extension Options {
  /// What --help prints.
  static let help = """
    Usage: touchrouted [OPTION]...
    Gives each touch of the touchscreens to the program whose window is under the finger.

      --config PATH          the configuration [\(Configuration.defaultPath)];
                             *.toml in conf.d beside it are read too
      --seat NAME            read the touchscreens of that seat [seat0]
      --device NODE          read that device, such as /dev/input/event3, and no others;
                             may be given several times
      --socket PATH          where programs connect [\(TOUCHROUTE_SOCKET_PATH)]
      --control-socket PATH  where those connect who observe and steer
                             [\(TOUCHROUTE_CONTROL_SOCKET_PATH)]
      --log-level LEVEL      trace, debug, info, notice, warning, error or critical [info]
      --strict               fail where the configuration is not valid; otherwise the last one
                             that was in force, which STATE_DIRECTORY keeps, takes its place
      --check                say what is wrong with the configuration, and exit
      --help                 print this, and exit
      --version              print the version, and exit

    Sockets that the service manager passes, named client and control, are used in place of those
    paths. SIGHUP reads the configuration again; SIGTERM and SIGINT cancel live touches, tell the
    clients, and end the daemon.
    """
}
