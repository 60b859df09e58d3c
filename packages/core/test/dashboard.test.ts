import { createHash, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { findDashboard } from '../src/dashboard/find.ts'
import { inspectorFile } from '../src/dashboard/inspector-file.ts'
import { findIntents, MOST_BYTES } from '../src/dashboard/intents.ts'
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
    t.match(headers['content-security-policy'], /default-src 'none'; script-src 'self'; worker-src 'self';.*trusted-types svc-realm$/)
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

const BUILT = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-own='; img-src data:"><body>
<!-- intents -->
<script type="module">read()</script>`
const INTENT = 'var svcIntent=(()=>({own:"</script>","<!--":1}))();'
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64')

t.test('intents are listed, are served under the digest of their bytes, and reach nobody', async (t) => {
  await writeFile(join(dist, 'inspector.html'), BUILT)
  const digest = digestOf(INTENT).replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
  const intents = [{ package: '@acme/intent-own', plugins: ['own', 'twin'], text: INTENT, digest }]
  const { call } = await serve(t, { dashboard: dist, intents })
  const get = (url: string, headers: Record<string, string> = {}) => call('GET', `/dashboard/${url}`, undefined, headers)
  const list = await get('intents.json')
  t.same(list.json(), [{ package: '@acme/intent-own', plugins: ['own', 'twin'], script: `intents/${digest}.js` }])
  t.match(
    list.headers,
    { 'content-type': /^application\/json/, 'cache-control': 'no-cache, no-transform' },
    'asked for again before each use',
  )
  const script = await get(`intents/${digest}.js`)
  t.equal(script.body, INTENT)
  t.match(script.headers, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable, no-transform',
    'x-content-type-options': 'nosniff',
  })
  for (const file of [`intents/${digest}.js`, 'assets/index-Abc123.js'])
    t.equal(
      (await get(file)).headers['content-security-policy'],
      "default-src 'none'; script-src 'self'",
      'which counts where it runs as a worker',
    )
  t.equal((await get('icon.svg')).headers['content-security-policy'], undefined)
  t.equal(brotliDecompressSync((await get(`intents/${digest}.js`, { 'accept-encoding': 'br' })).rawPayload).toString(), INTENT)
  for (const path of ['intents/', 'intents/another.js', 'intents/another']) t.equal((await get(path)).statusCode, 404, path)
  t.equal((await get('inspector.html')).body, inspectorFile(BUILT, intents), 'the saved file has them in it')
  const bare = await serve(t, { dashboard: dist })
  t.same((await bare.call('GET', '/dashboard/intents.json', undefined, {})).json(), [])
  t.equal((await bare.call('GET', '/dashboard/inspector.html', undefined, {})).body, BUILT)
})

t.test('the saved file names each script in its policy, and nothing in one ends its element', (t) => {
  const file = inspectorFile(BUILT, [{ text: INTENT }, { text: 'var svcIntent=2' }])
  const scripts = [...file.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text)
  t.equal(scripts.length, 4, 'each, and behind each what takes it up')
  t.match(scripts[0], String.raw`own:"\x3C/script>","\x3C!--"`)
  t.equal(scripts[2], 'var svcIntent=2')
  const [, policy = ''] = /content="([^"]*)"/.exec(file) ?? []
  const [, allowed = ''] = /script-src ([^;]*);/.exec(policy) ?? []
  for (const each of scripts) t.ok(allowed.includes(`'sha256-${digestOf(each)}'`))
  t.equal(allowed.split(' ').length, 4, 'three texts, and the file’s own')
  t.ok(allowed.endsWith("'sha256-own='"))
  const ran: Record<string, unknown> = {}
  for (const each of scripts) new Function('self', each.replace(/^var svcIntent=/, 'self.svcIntent='))(ran)
  t.same(ran, { svcIntents: [{ own: '</script>', '<!--': 1 }, 2], svcIntent: undefined }, 'they are what they were')
  for (const other of ['', BUILT.replace('<!-- intents -->', ''), BUILT.replace('script-src', 'style-src')])
    t.throws(() => inspectorFile(other, []), /build @svc\/dashboard anew/)
  t.end()
})

t.test('an intent is read next to its plugin, once, and what is wrong with one is said and stops nothing', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'svc-intents-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  const place = join(home, 'config.json')
  const write = async (path: string, manifest: object, files: Record<string, string> = {}) => {
    const to = join(home, 'node_modules', path)
    await mkdir(to, { recursive: true })
    await writeFile(join(to, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }))
    for (const [name, text] of Object.entries(files)) await writeFile(join(to, name), text)
  }
  const plugins: Record<string, unknown> = {
    '@acme/plugin-one': '@acme/intent-shared',
    '@acme/plugin-two': '@acme/intent-shared',
    '@acme/plugin-self': '@acme/plugin-self/intent',
    '@acme/plugin-bare': undefined,
    '@acme/plugin-odd': 7,
    '@acme/plugin-path': '../../secret',
    '@acme/plugin-gone': '@acme/intent-gone',
    '@acme/plugin-shut': '@acme/intent-shut',
    '@acme/plugin-unbuilt': '@acme/intent-unbuilt',
    '@acme/plugin-large': '@acme/intent-large',
  }
  const names = Object.keys(plugins)
  await writeFile(
    join(home, 'package.json'),
    JSON.stringify({ name: 'operator', dependencies: Object.fromEntries(names.map((name) => [name, '1'])) }),
  )
  for (const name of names)
    await write(
      name,
      { name, exports: { './intent/page': './page.js', './package.json': './package.json' }, svc: { contract: 1, intent: plugins[name] } },
      { 'page.js': 'own()' },
    )
  const intent = (name: string, exports: object, files: Record<string, string> = {}) => write(name, { name, exports }, files)
  await intent('@acme/intent-shared', { './page': './page.js' }, { 'page.js': INTENT })
  await intent('@acme/intent-shut', { '.': './page.js' }, { 'page.js': INTENT })
  await intent('@acme/intent-unbuilt', { './page': './page.js' })
  await intent('@acme/intent-large', { './page': './page.js' }, { 'page.js': 'x'.repeat(MOST_BYTES + 1) })

  const { scripts, faults } = await findIntents([place])
  t.match(scripts, [
    { package: '@acme/intent-shared', plugins: ['one', 'two'], text: INTENT, digest: /^[\w-]{43}$/ },
    { package: '@acme/plugin-self/intent', plugins: ['self'], text: 'own()' },
  ])
  t.equal(scripts.length, 2)
  t.match(faults, [
    /^@acme\/plugin-odd: svc\.intent of its manifest is 7; it must be the name of a package/,
    /^@acme\/plugin-path: svc\.intent of its manifest is "\.\.\/\.\.\/secret"; it must be/,
    /^@acme\/plugin-gone: .*@acme\/intent-gone\/page cannot be read: it is not installed with the plugin, or not built\. The dashboard's page cannot check what it crafts\.$/,
    /^@acme\/plugin-shut: .*@acme\/intent-shut has no export \.\/page/,
    /^@acme\/plugin-unbuilt: .*not built/,
    new RegExp(`^@acme/plugin-large: @acme/intent-large/page has ${MOST_BYTES + 1} bytes; an intent has ${MOST_BYTES} at most`),
  ])
  t.equal(faults.length, 6, 'a plugin that names none is no fault')
  await intent('@acme/intent-large', { './page': './page.js' }, { 'page.js': 'x'.repeat(MOST_BYTES) })
  t.equal((await findIntents([place])).scripts.length, 3, 'as large as may be')
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
