#!/usr/bin/env node
// The command `svc-mcp`.
await import('./dist/main.js')
