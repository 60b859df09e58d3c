import { createRequire } from 'node:module'
import { id } from 'ethers'
import type { Descriptor } from './descriptor.ts'

/** The validator that the service itself depends on. */
const require = createRequire(createRequire(import.meta.url).resolve('@svc/core'))
const { Ajv2020 } = require('ajv/dist/2020.js')

const text = { type: 'string', minLength: 1 }
const exactly = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const field = (format: string, params?: object) =>
  exactly({
    path: text,
    label: text,
    format: { const: format },
    ...(params ? { params } : {}),
    visible: {
      oneOf: [{ enum: ['always', 'optional', 'never'] }, exactly({ ifNotIn: { type: 'array', minItems: 1, items: { type: 'number' } } })],
    },
  })

/**
 * The registry's schema of version 2 as far as these files use it, in words of our own and narrower: what fits here fits there, and what it lets pass
 * and wallets do not (no deed, no label, no owner) does not fit here. @see
 * https://github.com/ethereum/clear-signing-erc7730-registry/blob/master/specs/erc7730-v2.schema.json (read 2026-11-22)
 */
const SCHEMA = exactly({
  $schema: { const: '../../specs/erc7730-v2.schema.json' },
  context: exactly({
    $id: text,
    contract: exactly({
      deployments: {
        type: 'array',
        minItems: 1,
        items: exactly({ chainId: { type: 'integer', minimum: 1 }, address: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } }),
      },
    }),
  }),
  metadata: exactly({ owner: text, contractName: text, info: exactly({ url: { type: 'string', pattern: '^https://' } }) }),
  display: exactly({
    formats: {
      type: 'object',
      minProperties: 1,
      // A name, and parameters with names: types without aliases, one space before each name and none elsewhere; a tuple holds no other.
      propertyNames: {
        pattern: '^[A-Za-z_]\\w*\\((?:(?:P|\\((?:P)(?:,P)*\\) N)(?:,(?:P|\\((?:P)(?:,P)*\\) N))*)?\\)$'
          .replaceAll('P', '(?:u?int(?:8|1[26]?\\d|[1-9]\\d\\d?)|address|bool|string|bytes\\d{0,2})(?:\\[\\d*\\])* N')
          .replaceAll('N', '[A-Za-z_]\\w*'),
      },
      additionalProperties: exactly(
        {
          intent: { ...text, maxLength: 30 },
          interpolatedIntent: text,
          fields: {
            type: 'array',
            minItems: 1,
            items: {
              oneOf: [
                field('raw'),
                field('amount'),
                field('unit', exactly({ base: text, decimals: { type: 'integer', minimum: 0 } })),
                field(
                  'addressName',
                  exactly({ types: { type: 'array', items: { enum: ['wallet', 'eoa', 'contract', 'token', 'collection'] } } }),
                ),
                field('calldata', exactly({ calleePath: { const: '@.to' } })),
              ],
            },
          },
        },
        ['intent', 'fields'],
      ),
    },
  }),
})
const fits = new Ajv2020({ allErrors: true }).compile(SCHEMA)

/**
 * What is wrong with a descriptor, each with its place.
 *
 * @param methods selector by name, of the methods that the protocol has
 */
export function problemsOf(descriptor: Descriptor, methods: ReadonlyMap<string, string>): readonly string[] {
  if (!fits(descriptor)) return fits.errors.map(({ instancePath, message }: any) => `${instancePath}: ${message}`)
  const { formats } = descriptor.display
  const keys = Object.keys(formats)
  const selectors = keys.map((key) => selectorOf(key))
  return [
    ...keys.flatMap((key, i) => {
      const wanted = methods.get(key.split('(')[0] ?? '')
      return wanted === selectors[i] ? [] : [`${key}: its selector is ${selectors[i]}, and that of the method is ${wanted}`]
    }),
    ...selectors.flatMap((selector, i) => (selectors.indexOf(selector) < i ? [`${keys[i]}: its selector is there twice`] : [])),
    ...[...methods].flatMap(([name, selector]) => (selectors.includes(selector) ? [] : [`${name} is missing`])),
    ...Object.entries(formats).flatMap(([key, { interpolatedIntent = '', fields }]) => {
      const always = fields.filter(({ visible }) => visible === 'always').map(({ path }) => path)
      const named = [...interpolatedIntent.matchAll(/\{([^}]*)\}/g)].map(([, path]) => path ?? '')
      const paths = fields.map(({ path }) => path)
      const labels = fields.map(({ label }) => label)
      return [
        ...named.flatMap((path) => (always.includes(path) ? [] : [`${key}: {${path}} is no field that is always visible`])),
        ...labels.flatMap((label, i) => (labels.indexOf(label) < i ? [`${key}: the label ${label} is there twice`] : [])),
        ...paths.flatMap((path, i) => (paths.indexOf(path) < i ? [`${key}: ${path} is there twice`] : [])),
        ...paths.flatMap((path) => (path.startsWith('@.') || leavesOf(key).includes(path) ? [] : [`${key}: ${path} is no argument`])),
        ...leavesOf(key).flatMap((leaf) => (paths.includes(leaf) ? [] : [`${key}: the argument ${leaf} is nowhere`])),
        ...(paths.includes('@.value') ? [] : [`${key}: what is sent along is nowhere`]),
      ]
    }),
  ]
}

/** keccak of the types alone. */
function selectorOf(key: string): string {
  return id(key.replaceAll(/ \w+/g, '')).slice(0, 10)
}

/** Paths of all that is not made of other things. */
function leavesOf(key: string): readonly string[] {
  const [, list = ''] = /^\w+\((.*)\)$/.exec(key) ?? []
  const [, inner, tuple] = /\((.*)\) (\w+)$/.exec(list) ?? []
  const path = (param: string) => `${param.split(' ')[1]}${param.includes('[') ? '.[]' : ''}`
  const members = inner === undefined ? [] : inner.split(',').map((each) => `${tuple}.${path(each)}`)
  const plain = list.replace(/,?\(.*\) \w+$/, '')
  return [...(plain === '' ? [] : plain.split(',').map(path)), ...members]
}
