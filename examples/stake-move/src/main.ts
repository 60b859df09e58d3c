// A staking journey on a local Sui: stake, be active, earn, have it back.
// Run `npm start` at the root of the repository in one terminal, and this in another.

import { native } from './native.ts'
import { findSandbox, Refused } from './sandbox-file.ts'

try {
  await native(await findSandbox())
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(error.message)
  process.exitCode = 1
}
