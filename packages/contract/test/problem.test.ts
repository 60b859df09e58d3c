import t from 'tap'
import { Type } from 'typebox'
import { allProblems, firstProblem } from '../src/problem.ts'

const schema = Type.Object(
  {
    port: Type.Integer({ minimum: 0, default: 1 }),
    plugins: Type.Record(
      Type.String(),
      Type.Object(
        { validator_id: Type.Integer({ minimum: 1 }), tags: Type.Optional(Type.Array(Type.String())) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
const fits = { port: 1, plugins: { a: { validator_id: 1 } } }

t.test('what fits has no problem', async (t) => {
  t.equal(firstProblem(schema, fits, 'config'), null)
})

t.test('a wrong value is named with its path, what would be right, and what it is', async (t) => {
  t.equal(firstProblem(schema, { ...fits, port: -1 }, 'config'), 'config.port: must be >= 0, but it is -1.')
  t.equal(
    firstProblem(schema, { ...fits, plugins: { a: { validator_id: 'x' } } }, ''),
    'plugins.a.validator_id: must be integer, but it is "x".',
  )
  t.equal(
    firstProblem(schema, { ...fits, plugins: { a: { validator_id: 1, tags: ['b', 2] } } }, ''),
    'plugins.a.tags.1: must be string, but it is 2.',
  )
  t.equal(firstProblem(schema, null, ''), 'the whole: must be object, but it is null.')
})

t.test('a missing member is named together with what is known there', async (t) => {
  t.equal(firstProblem(schema, { ...fits, plugins: { a: {} } }, ''), 'plugins.a: validator_id is missing. Known here: validator_id, tags.')
  t.equal(firstProblem(schema, { port: 1 }, ''), 'the whole: plugins is missing. Known here: port, plugins.')
})

t.test('a misspelt member says more than the one that is missing because of it', async (t) => {
  t.equal(
    firstProblem(schema, { ...fits, plugins: { a: { validatr_id: 1 } } }, ''),
    'plugins.a.validatr_id: there is no such setting. Known here: validator_id, tags.',
  )
  t.equal(firstProblem(schema, { ...fits, prt: 1 }, ''), 'prt: there is no such setting. Known here: port, plugins.')
})

t.test('names with slashes and tildes are written as they are', async (t) => {
  t.equal(
    firstProblem(schema, { ...fits, plugins: { '@svc/plugin~x': { validator_id: 0 } } }, ''),
    'plugins.@svc/plugin~x.validator_id: must be >= 1, but it is 0.',
  )
})

t.test('a long value is cut', async (t) => {
  const sentence = firstProblem(schema, { ...fits, port: 'x'.repeat(1000) }, '')!
  t.ok(sentence.length < 130, sentence)
})

t.test('all problems are told, one for each place', async (t) => {
  t.same(allProblems(schema, { prt: 1, port: -1, plugins: { a: { validator_id: 0 }, b: {} } }, ''), [
    'prt: there is no such setting. Known here: port, plugins.',
    'port: must be >= 0, but it is -1.',
    'plugins.a.validator_id: must be >= 1, but it is 0.',
    'plugins.b: validator_id is missing. Known here: validator_id, tags.',
  ])
  t.same(allProblems(schema, fits, ''), [])
})

t.test('a value that may be a secret is not repeated', async (t) => {
  const secret = Type.Object({ peppers: Type.Array(Type.String({ minLength: 32 })) })
  t.match(firstProblem(secret, { peppers: ['short'] }, ''), /^peppers\.0: must not have fewer than 32 characters\.$/)
})
