// Two staking journeys on a local Solana: a stake account of the wallet's own, and a stake pool.
// Run `npm start` at the root of the repository in one terminal, and this in another.

import { liquid } from './liquid.ts'
import { native } from './native.ts'
import { findSandbox, Refused } from './sandbox-file.ts'

try {
  const sandbox = await findSandbox()
  await native(sandbox)
  await liquid(sandbox)
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
