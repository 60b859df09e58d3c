import { documentDifferences, packDocument, unpackDocument } from '@svc/testing/api-document'
import fc from 'fast-check'
import t from 'tap'

const SENTENCE = 'A credential that is not known, was revoked, or is meant for another account.'
const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})
const document = (description = SENTENCE) => ({
  openapi: '3.1.0',
  paths: {
    '/b': {
      get: { summary: 'Reads b', responses: { 401: refusal(description) } },
      post: { summary: 'Writes b', responses: { 401: refusal(description) } },
    },
    '/a': { get: { summary: 'Reads a', responses: { 401: refusal(description) } } },
  },
  components: { schemas: { Error: { type: 'object', required: ['message', 'error'], properties: { message: {}, error: {} } } } },
})

t.test('a part that several operations have is written once, so that a change of its sentence is a change of one line', (t) => {
  const agreed = packDocument(document())
  t.equal(agreed.split(SENTENCE).length, 2)
  const changed = packDocument(document('Another sentence, which is as long as the one before it was, or longer.'), agreed)
  const lines = changed.split('\n')
  t.same(agreed.split('\n').filter((line) => !lines.includes(line)).length, 1, `the others keep their names:\n${agreed}\n${changed}`)
  t.end()
})

t.test('a new part that several operations have leaves the names of the others', (t) => {
  const agreed = packDocument(document())
  const more = document()
  const added = { 400: refusal('An amount, an address or a network that is not one, as the sentence says.'), 401: refusal(SENTENCE) }
  more.paths['/a'].get.responses = added
  more.paths['/b'].get.responses = added
  const text = packDocument(more, agreed)
  t.same(documentDifferences(unpackDocument(text), more), [])
  t.equal(JSON.parse(text).shared['401'].description, SENTENCE)
  t.end()
})

t.test('the order of routes, members and required names does not count', (t) => {
  const { paths, components, openapi } = document()
  const { Error: error } = components.schemas
  const turned = {
    components: { schemas: { Error: { ...error, required: error.required.toReversed() } } },
    paths: { '/a': paths['/a'], '/b': { post: paths['/b'].post, get: paths['/b'].get } },
    openapi,
  }
  t.same(documentDifferences(document(), turned), [])
  t.equal(packDocument(turned), packDocument(document()))
  t.end()
})

t.test('a difference is told once, as its operations, its place within them, and both values', (t) => {
  t.same(documentDifferences(document(), document('No.')), [
    `get /a and 2 more: responses › 401 › description was agreed as ${JSON.stringify(SENTENCE)}, and is served as "No."`,
  ])
  const fewer = { ...document(), paths: { '/a': document().paths['/a'], '/c': document().paths['/b'] }, info: { title: 'T' } }
  t.same(documentDifferences(document(), fewer), [
    'get /b and 1 more: was agreed, and is not served',
    'info and 2 more: is served, and was not agreed',
  ])
  const unnamed = document()
  unnamed.components.schemas.Error.required = ['message']
  t.same(documentDifferences(document(), unnamed), ['components schemas Error: required lacks "error", which was agreed'])
  t.same(documentDifferences(unnamed, document()), ['components schemas Error: required has "error" besides what was agreed'])
  const tags = (...names: readonly string[]) => ({ paths: { '/a': { get: { tags: names } } } })
  t.same(documentDifferences(tags('One', 'Two'), tags('Two', 'One')), [
    'get /a: tags › 0 was agreed as "One", and is served as "Two"',
    'get /a: tags › 1 was agreed as "Two", and is served as "One"',
  ])
  t.end()
})

t.test('any document is read as it was written, whatever form was agreed before', (t) => {
  type Members = Readonly<Record<string, unknown>>
  const part = fc.letrec<{ value: unknown; list: unknown[]; object: Members }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(SENTENCE, `${SENTENCE} It says why.`, 7, null, true), tie('object'), tie('list')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(fc.constantFrom('description', 'schema', '401', 'required', 'example'), tie('value'), { maxKeys: 4 }),
  })).object
  const isRead = (written: Members, text: string) => documentDifferences(written, unpackDocument(text)).length === 0
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(part, part, (one, other) => {
        const agreed = packDocument(one)
        return isRead(one, agreed) && isRead(other, packDocument(other, agreed))
      }),
    ),
  )
  t.end()
})

t.test('a shared part that is not there is told by its name', (t) => {
  t.throws(() => unpackDocument('{"document":{"info":{"=":"info 2"}},"shared":{}}'), {
    message: 'The document uses the shared part "info 2", which it does not hold.',
  })
  t.end()
})
