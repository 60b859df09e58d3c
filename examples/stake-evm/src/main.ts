// Two staking journeys on local stand-ins: a delegation on Monad, and a life in a vault on Ethereum.
// Run `npm start` at the root of the repository in one terminal, and this in another.

import { story } from '@svc/example-sandbox'
import { delegation } from './delegation.ts'
import { vault } from './vault.ts'

await story(delegation, vault)
