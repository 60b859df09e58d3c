import { createVerify, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { createResponseKeys, generateResponseKey } from '../../src/signature/response-keys.ts'
import { createSigner, generateSigningKey } from '../../src/signature/signer.ts'

const pem = await generateSigningKey()
const own = { responseKeys: [{ key: await generateResponseKey(), state: 'active' }] } as const
const privatePem = (type: 'pkcs1' | 'pkcs8', modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type, format: 'pem' }).toString()

t.test('a signature verifies with the public key over the exact bytes, and over no others', async (t) => {
  const signer = createSigner({ ...own, privateKeyPem: pem })
  const verifies = (body: string | Buffer, signature: string) =>
    createVerify('RSA-SHA256').update(body).verify(signer.publicKeyPem, signature, 'base64')
  const body = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  )
  await fc.assert(
    fc.asyncProperty(body, async (body) => {
      const signature = await signer.sign(body)
      if (!verifies(body, signature) || signer.signSync(body) !== signature) throw new RangeError(`signature of ${body}`)
      if (verifies(Buffer.concat([Buffer.from(body), Buffer.from('x')]), signature)) throw new RangeError(`signs more than ${body}`)
    }),
    { numRuns: 50 },
  )
  t.equal(await signer.sign('ä'), await signer.sign(Buffer.from('ä')), 'a string counts as its UTF-8 bytes')
  t.ok(verifies('', await signer.sign('')), 'nothing is signed as the empty string')
})

t.test('the signature is PKCS#1 v1.5, so a body always has the same one, remembered or not', async (t) => {
  const forgetful = createSigner({ ...own, privateKeyPem: pem, cacheBytes: 0 })
  const first = await forgetful.sign('body')
  for (let other = 0; other < 10; other++) await forgetful.sign(`other ${other}`)
  t.equal(await forgetful.sign('body'), first)
  t.equal(await createSigner({ ...own, privateKeyPem: pem }).sign('body'), first)
})

t.test('many calls for one body at once get one signature', async (t) => {
  const signer = createSigner({ ...own, privateKeyPem: pem })
  const promises = Array.from({ length: 100 }, () => signer.sign('the same'))
  t.equal(new Set(await Promise.all(promises)).size, 1)
})

t.test('a body changed after the call does not change what was signed', async (t) => {
  const signer = createSigner({ ...own, privateKeyPem: pem })
  const body = Buffer.from('before')
  const signature = signer.sign(body)
  body.write('after!')
  t.equal(await signature, signer.signSync('before'))
})

t.test('keys of other kinds, short ones and no keys are refused with what would be right', async (t) => {
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const privateKeyPem of [
    ed25519,
    pss,
    privatePem('pkcs8', 1024),
    '',
    'not a key',
    createSigner({ ...own, privateKeyPem: pem }).publicKeyPem,
  ])
    t.throws(() => createSigner({ ...own, privateKeyPem }), {
      name: 'ServiceError',
      code: 'SIGNING_KEY_INVALID',
      message: /an RSA key of at least 2048 bits/,
    })
})

t.test('PKCS#1 and longer keys work', async (t) => {
  const signer = createSigner({ ...own, privateKeyPem: privatePem('pkcs1', 3072) })
  t.equal((await signer.sign('body')).length, 512)
})

t.test('the answer to a read is bound once in its second, and to that read alone', async (t) => {
  const [privateKeyPem, first, second] = await Promise.all([generateSigningKey(), generateResponseKey(), generateResponseKey()])
  const base = Buffer.from('"@status": 200')
  const keys = createResponseKeys([{ key: first, state: 'active' }])
  const others = createResponseKeys([{ key: second, state: 'active' }])
  t.equal(keys.signOnce(base), keys.signOnce(Buffer.from(base)), 'of the same bytes there is one signature')
  t.equal(await keys.signOnce(base), keys.signSync(base), 'which is the one that is always made')
  t.not(await keys.signOnce(Buffer.from('"@status": 201')), await keys.signOnce(base))
  t.not(await others.signOnce(base), await keys.signOnce(base), 'another key remembers by itself')
  for (let n = 0; n < 600; n++) await keys.signOnce(Buffer.from(`${n}`))
  t.equal(await keys.signOnce(base), keys.signSync(base), 'what was forgotten is signed anew')

  let now = 1_000_000
  const signer = createSigner({ privateKeyPem, responseKeys: [{ key: first, state: 'active' }], now: () => now })
  const answer = { status: 200, digest: 'd' }
  const bound = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    const asked = { method, url, headers }
    const found = await signer.bind(answer, asked)
    t.same(found, signer.bindSync(answer, asked), 'as if nothing were remembered')
    return found.signature
  }
  const once = await bound('/a')
  t.equal(await bound('/a'), once)
  for (const other of [
    await bound('/b'),
    await bound('/a?x'),
    await bound('/a', { 'x-nonce': '1'.repeat(16) }),
    await bound('/a', {}, 'POST'),
  ])
    t.not(other, once)
  now += 1000
  t.not(await bound('/a'), once, 'the next second is said in it')
})
