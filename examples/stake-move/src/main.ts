// A staking journey on a local Sui: stake, be active, earn, have it back.
// Run `npm start` at the root of the repository in one terminal, and this in another.

import { story } from '@svc/example-sandbox'
import { native } from './native.ts'

await story(native)
