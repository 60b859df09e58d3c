import { createHash, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { findDashboard } from '../src/dashboard/find.ts'
import { serve, signer } from './support/serve.ts'

const SCRIPT = `/* ${'staking '.repeat(500)} */`
const folder = mkdtempSync(join(tmpdir(), 'svc-dashboard-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const dist = join(folder, 'node_modules/@svc/dashboard/dist')

t.before(async () => {
  await mkdir(join(dist, 'assets'), { recursive: true })
  await writeFile(join(dist, '../package.json'), JSON.stringify({ name: '@svc/dashboard', version: '1.0.0' }))
  await writeFile(join(dist, 'index.html'), '<!doctype html><html><head><title>Staking</title></head><body></body></html>')
  await writeFile(join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(dist, 'assets/index-Abc123.js'), SCRIPT)
  await writeFile(join(dist, 'assets/index-Abc123.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(dist, 'assets/index-Abc123.js.gz'), gzipSync(SCRIPT))
})

t.test('the page is served at any path of its own, with a base that leads back', async (t) => {
  const { call } = await serve(t, { dashboard: dist })
  const get = (url: string, headers: Record<string, string> = {}, method = 'GET') => call(method, url, undefined, headers)

  const moved = await get('/dashboard?account=acme')
  t.equal(moved.statusCode, 308)
  t.equal(moved.headers.location, 'dashboard/?account=acme', 'relative: right behind a proxy that takes a prefix away')

  for (const [path, base] of [
    ['', './'],
    ['?account=acme', './'],
    ['keys', './'],
    ['keys/', '../'],
    ['keys/01ABC', '../'],
    ['a/b/c', '../../'],
    ['a/b/c/d/e', '../../../../'],
  ] as const) {
    const { statusCode, headers, body } = await get(`/dashboard/${path}`)
    t.equal(statusCode, 200, path)
    t.match(body, `<head><base href="${base}">`, `the base of ${path}`)
    t.equal(new URL(base, `http://stake.test/prefix/dashboard/${path}`).pathname, '/prefix/dashboard/', 'which is the page’s own root')
    t.match(headers['content-security-policy'], /default-src 'none'; script-src 'self';.*trusted-types 'none'/)
    t.notMatch(headers['content-security-policy'], /unsafe|upgrade|https?:/)
    t.match(headers, { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache, no-transform' })
    t.notOk(headers['set-cookie'] ?? headers['cross-origin-opener-policy'], 'no cookie, and nothing that plain http ignores')
  }
  for (const path of [
    'a/b/c/d/e/f',
    'assets/index-Old999.js',
    'assets/',
    'nothing.js',
    'index.html',
    '../openapi',
    '%2e%2e%2fpackage.json',
    'assets/..%2f..%2fpackage.json',
    'assets/index-Abc123.js.br',
  ]) {
    const { statusCode, headers } = await get(`/dashboard/${path}`)
    t.equal(statusCode, 404, path)
    t.match(headers['content-type'], /json/, 'as everywhere')
  }
  t.equal((await get('/dashboard/%zz')).statusCode, 400)
})

t.test('files come compressed, are kept, and are signed over what they say', async (t) => {
  const { call } = await serve(t, { dashboard: dist })
  const file = '/dashboard/assets/index-Abc123.js'
  const get = (headers: Record<string, string>, method = 'GET', url = file) => call(method, url, undefined, headers)
  const signed = (body: Buffer | string, signature: unknown) =>
    verify('sha256', Buffer.from(body), signer.publicKeyPem, Buffer.from(String(signature), 'base64'))

  const etags = new Set<unknown>()
  for (const [accepted, coding, decoded] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
    ['br;q=0.000, *', undefined, (bytes: Buffer) => bytes],
  ] as const) {
    const { statusCode, headers, rawPayload } = await get({ 'accept-encoding': accepted })
    t.equal(statusCode, 200)
    t.equal(headers['content-encoding'], coding, accepted)
    t.equal(decoded(rawPayload).toString(), SCRIPT)
    t.match(headers, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
      vary: 'accept-encoding',
    })
    t.ok(signed(SCRIPT, headers['x-signature']), 'x-signature is over what any client hands out')
    t.equal(
      headers['content-digest'],
      `sha-256=:${createHash('sha256').update(rawPayload).digest('base64')}:`,
      'the digest is of what is sent',
    )
    etags.add(headers.etag)
    const known = await get({ 'accept-encoding': accepted, 'if-none-match': String(headers.etag) })
    t.equal(known.statusCode, 304)
    t.equal(known.body, '')
    t.ok(signed('', known.headers['x-signature']))
  }
  t.equal(etags.size, 3, 'a tag for each form')
  const head = await get({ 'accept-encoding': 'br' }, 'HEAD')
  t.equal(head.statusCode, 200)
  t.equal(head.body, '')
  t.match((await get({ 'accept-encoding': 'br' }, 'GET', '/dashboard/')).headers, { 'content-encoding': 'br' }, 'the page too')
  t.equal(
    (await get({}, 'GET', '/dashboard/icon.svg')).headers['cache-control'],
    'no-cache, no-transform',
    'a name without a digest is asked for again',
  )
  t.equal((await get({}, 'POST')).statusCode, 404)
})

t.test('without the package there is no dashboard', async (t) => {
  const { call } = await serve(t)
  for (const url of ['/dashboard', '/dashboard/', '/dashboard/keys']) t.equal((await call('GET', url, undefined, {})).statusCode, 404)
})

t.test('the package is found in the operator’s folder, built or not', async (t) => {
  const place = join(folder, 'config.json')
  t.same(findDashboard([place]), { folder: dist, built: true })
  rmSync(join(dist, 'index.html'))
  t.same(findDashboard([place]), { folder: dist, built: false })
})
