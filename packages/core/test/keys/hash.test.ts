import t from 'tap'
import { createHasher } from '../../src/credentials/hash.ts'
import { loadArgon2 } from '../../src/credentials/load-argon2.ts'

await t.test('a hash is argon2id with the recommended settings, salted anew each time', async (t) => {
  const hasher = createHasher()
  const [one, two] = [await hasher.hash('secret'), await hasher.hash('secret')]
  t.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.not(one, two)
  t.equal(await hasher.verify(one, 'secret', 'a'), true)
  t.equal(await hasher.verify(one, 'Secret', 'a'), false)
})

await t.test('it verifies what the reference implementation wrote', async (t) => {
  // Source: test.c of the reference implementation, https://github.com/P-H-C/phc-winner-argon2 (read 2026-11-21).
  const vector = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  t.equal(await createHasher().verify(vector, 'password', 'a'), true)
  t.equal(await createHasher().verify(vector, 'passwork', 'a'), false)
})

await t.test('a stored text that is no argon2 hash is an error, not a wrong secret', async (t) => {
  await t.rejects(createHasher().verify('plain', 'secret', 'a'))
})

await t.test('beyond the running and the waiting one is told to come back, and the places are given back', async (t) => {
  const hasher = createHasher({ concurrent: 1, waiting: 2 })
  const busy = { statusCode: 503, code: 'BUSY', retryAfter: 1 }
  for (let round = 0; round < 3; round++) {
    const inside = [1, 2, 3].map(() => hasher.hash('secret'))
    await t.rejects(hasher.hash('secret'), busy)
    await Promise.all(inside)
  }
  await t.rejects(hasher.verify('plain', 'secret', 'a'))
  t.match(await hasher.hash('secret'), /^\$argon2id/)
})

await t.test('those who wait are served in the order they came', async (t) => {
  const hasher = createHasher({ concurrent: 1 })
  const done: number[] = []
  await Promise.all([1, 2, 3, 4, 5].map((n) => hasher.hash('secret').then(() => done.push(n))))
  t.same(done, [1, 2, 3, 4, 5])
})

await t.test('wrong secrets for one credential leave room for the others', async (t) => {
  const hasher = createHasher({ waiting: 10, perLane: 3 })
  const hash = await hasher.hash('secret')
  const flood = Array.from({ length: 50 }, () => hasher.verify(hash, 'wrong', 'flooded').catch((error: { code: string }) => error.code))
  t.equal(await hasher.verify(hash, 'secret', 'other'), true)
  const answers = await Promise.all(flood)
  t.equal(answers.filter((answer) => answer === false).length, 3)
  t.equal(answers.filter((answer) => answer === 'BUSY').length, 47)
  t.equal(await hasher.verify(hash, 'secret', 'flooded'), true)
})

await t.test('the places of one credential are given back one by one', async (t) => {
  const hasher = createHasher({ concurrent: 1, perLane: 2 })
  const hash = await hasher.hash('secret')
  const verify = () => hasher.verify(hash, 'secret', 'one')
  const first = verify()
  const second = verify()
  await t.rejects(verify(), { code: 'BUSY' })
  await first
  const third = verify()
  await t.rejects(verify(), { code: 'BUSY' }, 'one was given back, and is taken')
  t.same(await Promise.all([second, third]), [true, true])
})

await t.test('two run and 64 wait, four of one credential, unless that is said otherwise', async (t) => {
  const hasher = createHasher()
  const all = Array.from({ length: 66 }, () => hasher.hash('secret'))
  await t.rejects(hasher.hash('secret'), { code: 'BUSY' })
  const [hash = ''] = await Promise.all(all)
  const lane = Array.from({ length: 4 }, () => hasher.verify(hash, 'secret', 'one'))
  await t.rejects(hasher.verify(hash, 'secret', 'one'), { code: 'BUSY' })
  t.same(await Promise.all(lane), [true, true, true, true])
})

await t.test('where its native part was left out, that is told in a sentence that says what to do', async (t) => {
  const absent = () => {
    throw new Error('Cannot find native binding. npm has a bug related to optional dependencies')
  }
  t.throws(() => loadArgon2(absent), {
    name: 'SettingsError',
    message: /^The native part of @node-rs\/argon2, .* is not installed for \w+-\w+: .* without --omit=optional /,
  })
})
