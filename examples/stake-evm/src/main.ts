// Two staking journeys on local stand-ins: a delegation on Monad, and a life in a vault on Ethereum.
// Run `npm start` at the root of the repository in one terminal, and this in another.

import { delegation } from './delegation.ts'
import { findSandbox, Refused } from './sandbox-file.ts'
import { vault } from './vault.ts'

try {
  const sandbox = await findSandbox()
  await delegation(sandbox)
  await vault(sandbox)
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
