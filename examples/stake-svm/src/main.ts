// Two staking journeys on a local Solana: a stake account of the wallet's own, and a stake pool.
// Run `npm start` at the root of the repository in one terminal, and this in another.

import { story } from '@svc/example-sandbox'
import { liquid } from './liquid.ts'
import { native } from './native.ts'

await story(native, liquid)
