import { testPlugin } from '@svc/conformance'
import t from 'tap'
import { options } from './options.ts'

// The message is laid out by the intent alone: no other package has to know it.
await testPlugin(t, options)
