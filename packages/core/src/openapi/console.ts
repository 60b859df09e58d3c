import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { present } from '../base/present.ts'
import { type Asset, asset, sendAsset } from '../http/asset.ts'
import { CONSOLE_CSS, CONSOLE_HTML, CONSOLE_JS, CONSOLE_POLICY, SWAGGER_FILES } from './page.ts'

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
}

/** Serves the console at `/docs`: how its page and files travel. They are read once, at start. */
export async function registerConsole(app: FastifyInstance): Promise<void> {
  const files = await readFiles()
  const page = asset('text/html; charset=utf-8', CONSOLE_HTML)
  const open = { schema: { hide: true }, config: { credential: 'none', limited: 'console' } } as const
  app.get('/docs', open, async (request, reply) =>
    sendAsset(request, reply.header('content-security-policy', CONSOLE_POLICY).header('referrer-policy', 'no-referrer'), page),
  )
  app.get<{ Params: { file: string } }>('/docs/static/:file', open, async (request, reply) => {
    const file = files.get(request.params.file)
    if (!file) throw app.unknownPath(request)
    return sendAsset(request, reply, file)
  })
}

async function readFiles(): Promise<ReadonlyMap<string, Asset>> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')
  const files = new Map<string, Asset>([
    ['console.css', asset(typeOf('console.css'), CONSOLE_CSS)],
    ['console.js', asset(typeOf('console.js'), CONSOLE_JS)],
  ])
  for (const name of SWAGGER_FILES) files.set(name, asset(typeOf(name), await readFile(join(folder, name))))
  return files
}

function typeOf(name: string): string {
  return present(TYPES[name.slice(name.lastIndexOf('.') + 1)], `the type of ${name}`)
}
