import { enableCompileCache } from 'node:module'
import { parseArgs } from 'node:util'

// Before anything else is loaded: compiled code is kept between starts, of which an agent's host makes one for every session.
enableCompileCache()
const { SvcError } = await import('@svc/client')

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
  const [{ readConfig }, { createMcp }] = await Promise.all([import('./config.ts'), import('./server.ts')])
  const { mcp, http } = await readConfig(path, process.env)
  const factory = createMcp(mcp)
  if (!isHttp) {
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
    serveStdio(factory, { onerror: (error) => console.error(error.message) })
    return
  }
  const { serveHttp } = await import('./http.ts')
  const server = await serveHttp(factory, http)
  console.error(`MCP at ${server.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
}
