import { enableCompileCache } from 'node:module'

// Where `svc.mjs` goes on when this Node is new enough. Before anything else is loaded: compiled code is kept between starts.
enableCompileCache()
const { run } = await import('./cli/program.ts')
await run(process.argv)
