// Stands between a service and an endpoint: passes each request on, prints a line for it, and keeps question and answer as a file in the form of
// packages/testing/recordings. Usage: node scripts/upstream.mjs <endpoint> <folder> [port]. The address of the endpoint is in no file: it often has a key in it.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [endpoint, folder, port = '8899'] = process.argv.slice(2)
if (endpoint === undefined || folder === undefined || !URL.canParse(endpoint) || !/^https?:/.test(endpoint) || !/^\d{1,5}$/.test(port)) {
  console.error('Usage: node scripts/upstream.mjs <endpoint, http or https> <folder for the recordings> [port, 8899]')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
// A folder that holds an earlier run is added to.
let count = readdirSync(folder).filter((name) => /^\d{5}-.*\.json$/.test(name)).length

const server = createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', async () => {
    const began = performance.now()
    const body = Buffer.concat(parts)
    try {
      const answer = await fetch(target(request.url), {
        method: request.method,
        headers: { 'content-type': request.headers['content-type'] ?? 'application/json', accept: request.headers.accept ?? '*/*' },
        ...(body.length === 0 ? {} : { body }),
        redirect: 'manual',
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const contentType = answer.headers.get('content-type') ?? undefined
      keep(request, body, { status: answer.status, contentType, body: readable(bytes) }, performance.now() - began)
      response.writeHead(answer.status, contentType === undefined ? {} : { 'content-type': contentType }).end(bytes)
    } catch (error) {
      console.log(`${request.method} ${name(body)}: the endpoint could not be reached: ${error.cause?.code ?? error.message}`)
      response.destroy()
    }
  })
})
server.on('error', (error) => {
  console.error(`Port ${port} cannot be used: ${error.code}. Name another one as the third argument.`)
  process.exit(1)
})
server.listen(Number(port), '127.0.0.1', () => console.log(`In place of the endpoint: http://127.0.0.1:${server.address().port}`))

/** The endpoint's own address with the path that was asked for added to its path, and its query kept. */
function target(path) {
  const base = new URL(endpoint)
  const asked = new URL(path, 'http://127.0.0.1')
  // Providers often refuse a path with a slash at its end that the operator did not write.
  const url = new URL(asked.pathname === '/' ? base : `${base.origin}${base.pathname.replace(/\/$/, '')}${asked.pathname}`)
  url.search = [base.search.slice(1), asked.search.slice(1)].filter(Boolean).join('&')
  return url
}

function keep(request, body, answer, ms) {
  count += 1
  const method = name(body)
  const file = `${String(count).padStart(5, '0')}-${method.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 60)}.json`
  const recording = {
    situation: '',
    software: '',
    request: { http: `${request.method} ${request.url}`, ...(body.length === 0 ? {} : { body: readable(body) }) },
    response: answer,
  }
  writeFileSync(join(folder, file), `${JSON.stringify(recording, null, 2)}\n`)
  console.log(`${request.method} ${method}: ${answer.status} in ${Math.round(ms)} ms, ${file}`)
}

/** The methods of a JSON-RPC body; `request` where the body is something else. */
function name(body) {
  const value = readable(body)
  const methods = [value].flat().map((each) => each?.method)
  return methods.length > 0 && methods.every((each) => typeof each === 'string') ? [...new Set(methods)].join('+') : 'request'
}

/** JSON as a value; as the text it was where a number in it would change; base64 where it is no text. */
function readable(bytes) {
  const text = bytes.toString()
  try {
    let exact = true
    const value = JSON.parse(text, (_key, each, { source }) => {
      if (typeof each === 'number' && String(each) !== source) exact = false
      return each
    })
    return exact ? value : text
  } catch {
    return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') }
  }
}
