import { itemsOf, membersOf } from '@svc/contract'
import type { Check } from '../check.ts'
import { exitsOf } from '../present.ts'
import type { Subject } from '../subject.ts'

/** Tests the plugin's declaration, and that the OpenAPI document of a server with it contains all of it. */
export async function declaration(subject: Subject, check: Check): Promise<void> {
  const { protocol, plugin, kit, family } = subject
  check.equal(plugin.contract, 1, 'the plugin speaks contract 1')
  check.ok(/^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(protocol.name), 'name is a package name', protocol.name)
  check.ok(/^\/[a-z0-9-]+\/[a-z0-9-]+$/.test(protocol.prefix), 'prefix is two kebab-case segments', protocol.prefix)
  check.ok(sentence(protocol.summary), 'the protocol has a summary', protocol.summary)
  check.ok(/^\d+(\.\d+)?$/.test(protocol.maxFee) && Number(protocol.maxFee) > 0, 'maxFee is a decimal above zero', protocol.maxFee)
  check.equal(kit.family, family.family, 'the family driver is of the family of the kit')
  kitMembers(subject, check)
  actions(subject, check)
  for (const [name, setting] of Object.entries(protocol.network.properties))
    check.ok(
      sentence(membersOf(setting).description) || membersOf(setting).default !== undefined,
      `the setting ${name} is described, or has a default`,
      setting,
    )
  await document(subject, check)
}

function kitMembers({ kit }: Subject, check: Check): void {
  for (const name of ['family', 'type', 'signer', 'endpoints'] as const) check.ok(sentence(kit[name]), `the kit has ${name}`, kit[name])
  check.ok(Number.isInteger(kit.decimals) && kit.decimals >= 0, 'the kit has decimals', kit.decimals)
  for (const name of ['address', 'connect', 'identify', 'preflight', 'assemble', 'decode', 'prepare', 'broadcast'] as const)
    check.equal(typeof kit[name], 'function', `the kit has ${name}()`)
  for (const name of ['unsigned', 'signed'] as const) check.equal(typeof kit.names?.[name], 'function', `the kit has names.${name}()`)
  for (const name of ['address', 'unsigned', 'prepare', 'signed', 'broadcast'] as const)
    check.equal(typeof kit.wire?.[name], 'object', `the kit describes ${name} on the wire`)
}

function actions({ protocol, kit, options }: Subject, check: Check): void {
  const all = Object.entries(protocol.actions)
  check.ok(all.length > 0, 'the protocol has an action')
  for (const [name, action] of all) {
    check.ok(sentence(action.summary), `${name} has a summary`, action.summary)
    check.equal(typeof action.effects, 'function', `${name} has effects`)
    check.equal(typeof action.craft, 'function', `${name} has craft`)
    check.ok(kit.signer in action.body, `${name} names its signer in ${kit.signer}`)
    for (const [member, schema] of Object.entries(action.body))
      check.ok(sentence(membersOf(schema).description), `${name}: the member ${member} is described`, schema)
    check.ok(name in options.examples, `${name} has an example in the options`)
  }
  for (const name of Object.keys(options.examples)) check.ok(Object.hasOwn(protocol.actions, name), `the example ${name} is of an action`)
}

async function document({ protocol, service, actions: names, kit }: Subject, check: Check): Promise<void> {
  const response = await fetch(`${service.url}/openapi.json`)
  check.equal(response.status, 200, 'the OpenAPI document is served')
  const { openapi, paths, components } = membersOf(await response.json())
  const shared = membersOf(membersOf(components).responses)
  check.ok(String(openapi).startsWith('3.1'), 'it is an OpenAPI 3.1 document', openapi)
  const base = `/api/v1${protocol.prefix}`

  const endpoints = [
    '/networks',
    '/staking-info',
    '/staking-balance/:address',
    ...names.map((name) => `/action/${name}`),
    ...exitsOf(protocol),
    ...(kit.life ? ['/transaction/:tx_hash'] : []),
  ]
  for (const path of endpoints)
    check.ok(
      service.routes.some((route) => route.path === path),
      `the plugin serves ${path}`,
    )
  for (const { method, path } of service.routes.filter((route) => route.method !== 'HEAD')) {
    const described = membersOf(membersOf(paths)[base + path.replaceAll(/:(\w+)/g, '{$1}')])[method.toLowerCase()]
    const where = `OpenAPI: ${method} ${path}`
    check.ok(described !== undefined, `${where} is in the document`)
    if (described === undefined) continue
    const operation = membersOf(described)
    check.ok(sentence(operation.summary), `${where} has a summary`)
    check.equal(operation.tags, [protocol.prefix.slice(1)], `${where} has the tag of the protocol`)
    check.equal(operation.security, [{ apiKey: [] }], `${where} is secured by an API key`)
    const responses = membersOf(operation.responses)
    const statuses = ['200', '401', '404', '429', '500', ...(method === 'POST' ? ['400'] : [])]
    for (const status of statuses) {
      const { $ref } = membersOf(responses[status])
      const answer = typeof $ref === 'string' ? shared[$ref.slice($ref.lastIndexOf('/') + 1)] : responses[status]
      check.ok(sentence(membersOf(answer).description), `${where} describes its ${status}`)
    }
    for (const parameter of itemsOf(operation.parameters).map(membersOf)) {
      const schema = membersOf(parameter.schema)
      check.ok(
        sentence(parameter.description) || sentence(schema.description),
        `${where}: the ${parameter.in} parameter ${parameter.name} is described`,
      )
      if (parameter.in !== 'header')
        check.ok(exampled(parameter) || exampled(schema), `${where}: ${parameter.name} has an example or a default`)
    }
    if (method === 'POST') {
      const { schema: body, example } = membersOf(membersOf(membersOf(operation.requestBody).content)['application/json'])
      const whole = example !== undefined
      for (const [name, schema] of Object.entries(membersOf(membersOf(body).properties)))
        check.ok(whole || exampled(schema), `${where}: the member ${name} of the body has an example`, schema)
    }
  }
  check.ok(sentence(kit.type), 'networks have a type')
}

function exampled(of: unknown): boolean {
  const schema = membersOf(of)
  if (['example', 'examples', 'default', 'const', 'enum'].some((name) => schema[name] !== undefined)) return true
  const members = Object.values(membersOf(schema.properties))
  const alternatives = itemsOf(schema.anyOf)
  return (members.length > 0 && members.every(exampled)) || alternatives.some(exampled) || schema.type === 'boolean'
}

function sentence(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== ''
}
