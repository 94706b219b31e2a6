// The first file of TidyTests.
