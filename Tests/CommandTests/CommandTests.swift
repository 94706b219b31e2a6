// The first file of CommandTests.
