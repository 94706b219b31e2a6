// The first file of ConfigurationTests.
