// Builds packages, each after those that it is built on: `pnpm build [package …]`, by default all that are published.
//
// The order is that of dependencies and peers. What only tests need does not count: the tests of the contract share code that is built on the contract.
import { buildPackages } from './registry.mjs'

try {
  const built = buildPackages(process.argv.slice(2))
  console.log(`${built.length} packages are built`)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
