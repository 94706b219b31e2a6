// The first file of RoutingTests.
