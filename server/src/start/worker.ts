import { enableCompileCache } from 'node:module'

// Where a process begins that serves under a primary. Before anything else is loaded: compiled code is kept between starts.
enableCompileCache()
const { work } = await import('./work.ts')
await work()
