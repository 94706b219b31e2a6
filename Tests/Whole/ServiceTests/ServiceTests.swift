import Testing

/// Tests of the installed service, one at a time: there is one systemd, and one touchrouted. They
/// stop services, write to /etc and install packages, so they run in the guest alone:
/// `scripts/guest --systemd`.
@Suite("Service", .serialized, .enabled(if: Machine.isGuest, "needs scripts/guest --systemd"))
enum ServiceTests {}
