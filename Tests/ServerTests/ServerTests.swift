// The first file of ServerTests.
