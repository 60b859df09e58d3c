import t from 'tap'
import { compileSignature } from '../../src/evm/signature.ts'
import { readVectors } from '../support/vectors.ts'

const refused = { code: 'DECODE_FAILED' }

t.test('the canonical text drops names and spells out uint and int, and the selector follows from it', async (t) => {
  const { vectors } = readVectors<{ vectors: readonly { method: string; canonical: string; data: string }[] }>('abi-solidity')
  for (const { method, canonical, data } of vectors) {
    const signature = compileSignature(method)
    t.equal(signature.canonical, canonical)
    t.equal(`0x${signature.selector}`, data.slice(0, 10))
  }
  t.equal(compileSignature('f((address to, (int a, bytes4[3] b)[] c)[2][] d)').canonical, 'f((address,(int256,bytes4[3])[])[2][])')
})

t.test('a method without parameters and spaces around commas are fine', async (t) => {
  t.equal(compileSignature('claim()').canonical, 'claim()')
  t.equal(compileSignature('claim( )').canonical, 'claim()')
  t.equal(compileSignature('f( uint8  a ,uint8 b )').canonical, 'f(uint8,uint8)')
})

t.test('a parameter without a name is refused, in tuples too', async (t) => {
  for (const text of ['delegate(uint64)', 'f(uint64 a, bytes)', 'f((address, bytes data)[] calls)', 'f((address to)[])', 'f(uint8 1)']) {
    t.throws(() => compileSignature(text), refused, text)
  }
})

t.test('the message shows the text, the place and the rule', async (t) => {
  // A test of wording.
  t.throws(() => compileSignature('delegate(uint64)'), {
    message:
      'the method "delegate(uint64)" is no signature with named parameters: at character 15, a parameter of type uint64 needs a space and a name after it',
  })
})

t.test('names that occur twice on one level are refused', async (t) => {
  t.throws(() => compileSignature('f(uint8 a, uint8 a)'), refused)
  t.throws(() => compileSignature('f((uint8 a, uint8 a) b)'), refused)
  t.equal(compileSignature('f((uint8 a) a)').canonical, 'f((uint8))')
})

t.test('what is no type is refused', async (t) => {
  for (const type of [
    'uint7',
    'uint0',
    'uint264',
    'int08',
    'bytes0',
    'bytes33',
    'byte',
    'fixed',
    'function',
    'tuple',
    'uint256[',
    'uint[0]',
    'uint[01]',
    'uint[x]',
    '()',
    '',
  ]) {
    t.throws(() => compileSignature(`f(${type} a)`), refused, type)
  }
})

t.test('whatever else is not exactly one signature is refused', async (t) => {
  const texts = [
    '',
    'f',
    'f(',
    'f(uint8 a',
    'f(uint8 a,)',
    'f(,uint8 a)',
    'f(uint8 a) returns (bool b)',
    'function f()',
    ' f()',
    'f() ',
    '1f()',
    '(uint8 a)',
  ]
  for (const text of [...texts, 'f(bytes memory data)', 'f(uint8\ta)', 'f(uint8 a))', 'f(uint8 a b)', `f(uint8 ${'a'.repeat(3000)})`]) {
    t.throws(() => compileSignature(text), refused, text.slice(0, 40))
  }
  for (const value of [undefined, null, 12, {}]) t.throws(() => compileSignature(value as unknown as string), refused)
})

t.test('types that nest too deep or take too much room are refused', async (t) => {
  t.throws(() => compileSignature(`f(${'('.repeat(900)}uint8 a`), refused)
  t.throws(() => compileSignature(`f(uint8${'[]'.repeat(100)} a)`), refused)
  t.throws(() => compileSignature('f(uint8[999999][999999][999999][999999] a)'), refused)
  t.throws(() => compileSignature('f(uint8[30000] a, uint8[30000] b)'), refused)
  t.ok(compileSignature(`f(uint8${'[]'.repeat(12)} a)`))
})

t.test('a signature is compiled once, and more of them than are kept do no harm', async (t) => {
  const first = compileSignature('first(uint8 a)')
  t.equal(compileSignature('first(uint8 a)'), first)
  for (let i = 0; i < 1000; i++) compileSignature(`other${i}(uint8 a)`)
  t.not(compileSignature('first(uint8 a)'), first)
  t.same(compileSignature('first(uint8 a)'), first)
})
