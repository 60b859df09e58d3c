import fc from 'fast-check'
import t from 'tap'
import { exactNumber, literalOf, parseJson } from '../src/json.ts'

const literal = (text: string, key = 'amount') => literalOf(parseJson(text) as object, key)

t.test("a number's source text is kept as it was written", async (t) => {
  for (const text of [
    '1.0000000000000000001',
    '1e-19',
    '123456789012345678901234',
    '0.10',
    '-0',
    '1E+400',
    '5e-324',
    '100.000000000000000001',
  ])
    t.equal(literal(`{ "amount" : ${text} }`), text)
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.stringMatching(/^-?(0|[1-9]\d{0,40})(\.\d{1,40})?([eE][+-]?\d{1,3})?$/),
        (text) => literal(`{"amount":${text}}`) === text,
      ),
    ),
  )
})

t.test('a member that is no number has no literal', async (t) => {
  for (const text of ['"1.5"', 'null', 'true', '[1]', '{"amount":1}']) t.equal(literal(`{"amount":${text}}`), undefined, text)
  t.equal(literal('{}'), undefined)
  t.equal(literalOf({ amount: 1 }, 'amount'), undefined, 'an object made elsewhere')
})

t.test('a member that stands twice in one object is refused by its name, at any depth and however it is spelt', async (t) => {
  for (const [text, name] of [
    ['{"amount":1.00,"amount":2.50}', '"amount"'],
    ['{"amount":1,"amount":1}', '"amount"'],
    ['{"amount":1,"amo\\u0075nt":"2"}', '"amo\\u0075nt"'],
    ['{"a":{"b":[{"c":1},{"c":1,"d":2,"c":3}]},"c":4}', '"c"'],
    ['[{"a":null,"a":null}]', '"a"'],
    ['{"":1,"":2}', '""'],
    ['{"a":{"x":1},"a":{"y":1}}', '"a"'],
    ['{"constructor":1,"constructor":2}', '"constructor"'],
    ['{"a\u202eb":1,"a\u202eb":2}', '"a\\u{202e}b"'],
  ] as const)
    t.throws(
      () => parseJson(text),
      {
        ...{ statusCode: 400, code: 'REQUEST_INVALID' },
        message: `The body says two things: the member ${name} stands twice in one object. Send each member once.`,
      },
      text,
    )
  const long = 'x'.repeat(500)
  t.throws(() => parseJson(`{"${long}":1,"${long}":2}`), { message: /^.{80,200}$/ }, 'a long name is cut')
  for (const text of [
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"b:c","b":":"}',
    '{"a\\":":1,"a":2}',
    '{"\\"a":1,"a\\"":2}',
    '{"A":1,"a":2}',
    '{"0":[1,2],"1":{"0":":"}}',
    ' { "a" : [ ] , "b" : { } } ',
    '[]',
    '7',
    '":"',
  ])
    t.same(parseJson(text), JSON.parse(text), text)
  t.throws(() => parseJson('{"a":1,"a":[1,2,3]}', 4), { code: 'BODY_TOO_COMPLEX' }, 'what is too large is not read')
})

t.test('literals belong to their own object, at any depth, and to items of lists', async (t) => {
  const body = parseJson('{"amount":1.10,"inner":{"amount":2.20,"list":[3.30,{"amount":4.40}]}}') as any
  t.equal(literalOf(body, 'amount'), '1.10')
  t.equal(literalOf(body.inner, 'amount'), '2.20')
  t.equal(literalOf(body.inner.list, '0'), '3.30')
  t.equal(literalOf(body.inner.list[1], 'amount'), '4.40')
})

t.test('keeping the texts leaves the value as JSON.parse makes it', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.json(), (text) => {
        if (text.includes('__proto__')) return true
        return (
          JSON.stringify(parseJson(text)) === JSON.stringify(JSON.parse(text)) &&
          Object.keys(Object(parseJson(text))).join() === Object.keys(Object(JSON.parse(text))).join()
        )
      }),
    ),
  )
})

t.test('names of the prototype are ordinary members, except the one that would reach it', async (t) => {
  t.equal(literal('{"constructor":1.50,"toString":2}', 'constructor'), '1.50')
  for (const text of ['{"__proto__":{"amount":1}}', '{"a":[{"__proto__":null}]}', '{"\\u005f_proto__":1}'])
    t.throws(() => parseJson(text), { statusCode: 400, code: 'BODY_NOT_JSON', message: /__proto__/ }, text)
  t.equal(({} as { amount?: number }).amount, undefined)
})

t.test('text that is not JSON is refused with a sentence', async (t) => {
  for (const text of ['', '{', '{"a":01}', '{"a":NaN}', "{'a':1}", '{"a":1}x', '{"a":.5}', '{"a":1.}'])
    t.throws(() => parseJson(text), { statusCode: 400, code: 'BODY_NOT_JSON', message: /^The body is not valid JSON/ }, text)
})

t.test('a body nested deeper than any request is refused, not a fault', async (t) => {
  const deep = `${'['.repeat(150_000)}${']'.repeat(150_000)}`
  t.throws(() => parseJson(deep), { statusCode: 400, code: 'BODY_NOT_JSON', message: /nested/ })
})

t.test('an exact number is written digit by digit', async (t) => {
  t.equal(
    JSON.stringify([exactNumber('1.0000000000000000001'), exactNumber('123456789012345678901234'), exactNumber('0')]),
    '[1.0000000000000000001,123456789012345678901234,0]',
  )
  t.throws(() => exactNumber('1.5,"a":2'), SyntaxError, 'and nothing but a number')
})

t.test('values are counted before they are read, and what stands in a text is none', (t) => {
  const fits = (text: string, most: number) => t.same(parseJson(text, most), JSON.parse(text), text)
  const refused = (text: string, most: number) => t.throws(() => parseJson(text, most), { code: 'BODY_TOO_COMPLEX', statusCode: 400 }, text)
  fits('[1,2,3]', 4)
  refused('[1,2,3]', 3)
  fits('{"a":1,"b":{"c":[2]}}', 5)
  refused('{"a":1,"b":{"c":[2]}}', 4)
  for (const text of ['",,,,[[[[{{{{"', '"\\",,,,,,"', '"\\\\"', '{"a,b,c\\"[[[":"}{][,,,,"}', `"${'\\\\'.repeat(50)}"`]) fits(text, 2)
  refused('["\\\\",1,2,3]', 3)
  refused('["a\\"",1,2,3]', 3)
  for (const text of ['"never ends ,,,,,', '{"a":"\\"']) t.throws(() => parseJson(text, 2), { code: 'BODY_NOT_JSON' }, text)
  refused(`${'['.repeat(100_000)}`, 1000)
  t.end()
})
