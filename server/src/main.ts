#!/usr/bin/env -S node --max-semi-space-size=8
import { enableCompileCache } from 'node:module'

// Before anything else is loaded: compiled code is kept between starts.
enableCompileCache()
const { run } = await import('./cli/program.ts')
await run(process.argv)
