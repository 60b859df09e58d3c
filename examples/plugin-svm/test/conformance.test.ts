import { testPlugin } from '@svc/conformance'
import t from 'tap'
import { options } from './options.ts'

// The program and its instructions are laid out by the intent alone: no other package has to know them.
await testPlugin(t, options)
