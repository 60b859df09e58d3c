/** An operation of an OpenAPI document. */
export interface Operation {
  readonly path: string
  readonly method: string
  readonly value: any
}

/** Every operation, in the document's order. */
export function operationsOf(document: any): readonly Operation[] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, value]) => ({ path, method, value })),
  )
}

/** What a light check of an OpenAPI 3.1 document finds wrong, each with its place. */
export function problemsOf(document: any): readonly string[] {
  return [
    ...refProblems(document),
    ...operationsOf(document).flatMap((operation) => operationProblems(document, operation)),
    ...tagProblems(document),
  ]
}

function refProblems(document: any): string[] {
  const problems: string[] = []
  visit(document, '', (node, place) => {
    if (typeof node.$ref === 'string' && resolve(document, node.$ref) === undefined) problems.push(`${place}: ${node.$ref} leads nowhere`)
  })
  return problems
}

function operationProblems(document: any, { path, method, value }: Operation): string[] {
  const place = `${method} ${path}`
  const problems: string[] = []
  const must = (holds: unknown, what: string) => {
    if (!holds) problems.push(`${place}: ${what}`)
  }
  must(path.startsWith('/api/v1/') || path.startsWith('/.well-known/'), 'is not under /api/v1')
  must(typeof value.summary === 'string' && value.summary.length > 5, 'has no summary')
  must(value.tags?.length === 1, 'has not exactly one tag')
  must(typeof value.operationId === 'string', 'has no operationId')
  must(Array.isArray(value.security), 'says nothing of security')
  for (const scheme of (value.security ?? []).flatMap(Object.keys))
    must(document.components.securitySchemes[scheme], `names the unknown scheme ${scheme}`)
  const named = (value.parameters ?? []).filter((parameter: any) => parameter.in === 'path').map(({ name }: any) => name)
  must([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).join() === named.join(), 'its path parameters are not those of the path')
  for (const parameter of value.parameters ?? []) {
    must(parameter.description ?? parameter.schema?.description, `parameter ${parameter.name} is not described`)
    must(parameter.in !== 'path' || parameter.required === true, `parameter ${parameter.name} is not required`)
  }
  for (const [status, answer] of Object.entries<any>(value.responses)) {
    const response = resolved(document, answer)
    must(response.description && response.description !== 'Default Response', `response ${status} is not described`)
    if (Number(status) >= 400 && path !== '/api/v1/health')
      must(
        JSON.stringify(response.content?.['application/json']?.schema).includes('#/components/schemas/Error'),
        `response ${status} is not the error body`,
      )
  }
  must(
    Object.keys(value.responses).some((status) => status.startsWith('2')),
    'describes no success',
  )
  must(value.security?.length === 0 || ['401', '429', '500'].every((status) => value.responses[status]), 'leaves a common refusal out')
  if (value.requestBody) must(value.requestBody.content?.['application/json']?.schema, 'its body is no JSON')
  const mediaOf = (holder: any) => Object.values<any>(holder?.content ?? {})
  for (const { schema, example } of mediaOf(value.requestBody))
    problems.push(...schemaProblems(document, schema, { place, exampled: example === undefined, whole: example !== undefined }))
  for (const [status, answer] of Object.entries<any>(value.responses))
    for (const { schema, example } of mediaOf(resolved(document, answer))) {
      problems.push(...schemaProblems(document, schema, { place, exampled: false, whole: example !== undefined }))
      if (Number(status) >= 400 && path !== '/api/v1/health')
        must(String(example?.statusCode) === status, `response ${status} shows no refusal of that status`)
    }
  return problems
}

interface Where {
  readonly place: string
  /** Whether single values want an example: those that a caller writes, and those that every protocol answers. */
  readonly exampled: boolean
  /** Whether the whole is shown by an example, so that its parts need none. */
  readonly whole?: boolean
  readonly seen?: readonly string[]
}

/** Each property is described, and shown by an example or a list of its values. */
function schemaProblems(document: any, schema: any, { place, exampled, whole = false, seen = [] }: Where): string[] {
  if (schema?.$ref) {
    if (seen.includes(schema.$ref)) return []
    return schemaProblems(document, resolve(document, schema.$ref), {
      place: `${place} ${schema.$ref}`,
      exampled: !whole,
      whole,
      seen: [...seen, schema.$ref],
    })
  }
  if (schema?.items) return schemaProblems(document, schema.items, { place, exampled, whole, seen })
  return Object.entries<any>(schema?.properties ?? {}).flatMap(([name, property]) => {
    const at = `${place}: ${name}`
    const described = property.description ?? (property.$ref && resolve(document, property.$ref)?.description)
    const single = exampled && [property.type].flat().some((type) => ['string', 'number', 'integer'].includes(type))
    const shown = property.examples?.length > 0 || property.example !== undefined || property.enum
    return [
      ...(described ? [] : [`${at} is not described`]),
      ...(single && !shown ? [`${at} has no example`] : []),
      ...schemaProblems(document, property, { place: at, exampled, whole, seen }),
    ]
  })
}

function tagProblems(document: any): string[] {
  const known = new Set(document.tags.map(({ name }: any) => name))
  const used = new Set(operationsOf(document).flatMap(({ value }) => value.tags))
  return [
    ...[...used].filter((tag) => !known.has(tag)).map((tag) => `the tag ${tag} is not described`),
    ...[...known].filter((tag) => !used.has(tag as string)).map((tag) => `the tag ${tag} is on nothing`),
  ]
}

/** What stands behind a reference, and anything else as it is. */
export function resolved(document: any, node: any): any {
  return node?.$ref ? resolve(document, node.$ref) : node
}

function resolve(document: any, ref: string): any {
  if (!ref.startsWith('#/')) return undefined
  return ref
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((node, step) => node?.[step], document)
}

function visit(node: any, place: string, look: (node: any, place: string) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) look(node, place)
  for (const [key, value] of Object.entries(node)) visit(value, `${place}/${key}`, look)
}
