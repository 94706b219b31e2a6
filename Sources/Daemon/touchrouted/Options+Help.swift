import CTouchroute
import Configuration

extension Options {
  /// What --help prints.
  static let help = """
    Usage: touchrouted [OPTION]...
    Reads the touchscreens, and gives each touch to the program whose window is under the finger.

      --config PATH          the configuration [\(Configuration.defaultPath)];
                             *.toml in conf.d beside it are read too
      --seat NAME            read the touchscreens of this seat [seat0]
      --device NODE          read only this device, such as /dev/input/event3; may be given
                             several times
      --socket PATH          the socket for programs [\(TOUCHROUTE_SOCKET_PATH)]
      --control-socket PATH  the socket for administrators
                             [\(TOUCHROUTE_CONTROL_SOCKET_PATH)]
      --log-level LEVEL      trace, debug, info, notice, warning, error or critical [info]
      --strict               fail if the configuration is invalid; without this option the
                             daemon starts with the last valid one, kept in STATE_DIRECTORY
      --check                check the configuration, print what is wrong with it, and exit
      --help                 print this help and exit
      --version              print the version and exit

    If the service manager passes sockets named client and control, these are used instead of the
    paths. SIGHUP reads the configuration again. SIGTERM and SIGINT cancel live touches, tell the
    clients, and end the daemon.
    """
}
