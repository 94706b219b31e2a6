// The first file of EventLoopTests.
