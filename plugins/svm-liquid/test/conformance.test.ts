import { testPlugin } from '@svc/conformance'
import { callers } from '@svc/testing/callers'
import t from 'tap'
import { onChain } from './chain.ts'
import { optionsOf } from './options.ts'

await testPlugin(t, { ...optionsOf(onChain()), callers: callers(import.meta.url) })
