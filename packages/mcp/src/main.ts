import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { SvcError } from '@svc/client'
import { readConfig } from './config.ts'
import { serveHttp } from './http.ts'
import { createMcp } from './server.ts'

const USAGE = `Usage: svc-mcp [--config svc-mcp.json] [--http]

Serves MCP over stdio, or with --http over Streamable HTTP. The API key is SVC_API_KEY of the environment.`

try {
  const options = { config: { type: 'string', default: 'svc-mcp.json' }, http: { type: 'boolean' }, help: { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  if (values.help) console.error(USAGE)
  else await start(values.config, values.http ?? false)
} catch (error) {
  // stdout is the protocol's alone.
  console.error(SvcError.is(error) || (error instanceof TypeError && 'code' in error) ? error.message : error)
  process.exitCode = 1
}

async function start(path: string, isHttp: boolean): Promise<void> {
  const { mcp, http } = await readConfig(path, process.env)
  const factory = createMcp(mcp)
  if (!isHttp) {
    serveStdio(factory, { onerror: (error) => console.error(error.message) })
    return
  }
  const server = await serveHttp(factory, http)
  console.error(`MCP at ${server.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
}
