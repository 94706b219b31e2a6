// What the checker of the page's scripts does not know: jsconfig.json is its configuration.

interface Array<T> {
  // Of ES2023, which TypeScript 4.8 does not have.
  findLast(isWanted: (element: T) => unknown): T | undefined;
}

interface Window {
  // For the tests in a browser.
  inspector: object;
}
