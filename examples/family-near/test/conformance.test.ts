// alone: its chain is the one that the options of this folder act on
import { testPlugin } from '@svc/conformance'
import t from 'tap'
import { options } from './options.ts'

// A family that no other package has heard of: its kit, its reader, its chain and its driver are this example's.
await testPlugin(t, options)
