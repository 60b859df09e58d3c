// The changes of one file, each of which some test should notice: `[{ start, end, now, what, at }]`, with offsets into the text, what stands there then, and
// the place by which it is known whether a test executes it.
// Types are cut out by Node, which leaves blanks, so that every offset holds for the text as it is written.
import { stripTypeScriptTypes } from 'node:module'
import { parse } from 'acorn'
import { sqlChanges } from './sql.mjs'

/** A comparison with its bound moved by one, or turned round. */
const COMPARED = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '==': '!=', '!=': '==' }
const COUNTED = { '+': '-', '-': '+', '*': '/', '/': '*' }
/** Calls of which another one is as easily written. */
const CALLED = { min: 'max', max: 'min', some: 'every', every: 'some' }
/** Calls on a list that may be left out. */
const LEFT_OUT = ['filter', 'toSorted', 'toReversed', 'trim', 'slice']
/** What is only told to whoever reads a log, and timers that only spare a process some time: nothing is promised of either. */
const TOLD = /^(log|logger|[\w.]*\.log)\.|^clear(Timeout|Interval)$|\.unref$/
/** A text that is a state or a name, and no sentence. */
const NAME = /^[a-zA-Z][\w.:-]*$/
const SQL_TAGS = ['sql']

/** @param text a module in TypeScript @returns its changes, in order */
export function changesOf(text) {
  const script = stripTypeScriptTypes(text)
  if (script.length !== text.length) throw new Error('types were cut out, and the text is of another length: no offset would hold')
  const found = []
  const add = (node, now, what) => {
    if (text.slice(node.start, node.end) !== now) found.push({ start: node.start, end: node.end, now, what, at: node.at ?? node.start })
  }
  walk(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }), null, { text, add })
  return found.toSorted((one, other) => one.start - other.start || one.end - other.end)
}

/** Visits a node and what is in it, but for what is never a behaviour: imports, schemas, what a thrown error says, and what is only told. */
function walk(node, parent, given) {
  if (SKIPPED.has(node.type) || isTold(node, given.text) || isDeclared(node, given.text)) return
  VISITS[node.type]?.(node, parent, given)
  for (const [name, member] of Object.entries(node)) {
    if (node.type === 'Property' && name === 'key' && !node.computed) continue
    if (node.type === 'MemberExpression' && name === 'property' && !node.computed) continue
    for (const child of [member].flat()) if (typeof child?.type === 'string') walk(child, node, given)
  }
}

/** What says how a member looks, in a schema: the golden OpenAPI document holds it. */
const DOCUMENTED = new Set(['title', 'description', 'summary', 'example', 'examples'])
const SCHEMA_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** Whether it is a schema, a part of its documentation, or a call with a sentence about what it declares. */
function isDeclared(node, text) {
  if (node.type === 'Property') return DOCUMENTED.has(node.key.name ?? node.key.value)
  if (node.type === 'ObjectExpression')
    return node.properties.some(({ key, value }) => key?.name === 'type' && SCHEMA_TYPES.includes(value?.value))
  if (node.type !== 'CallExpression') return false
  if (/^Type\./.test(text.slice(node.callee.start, node.callee.end))) return true
  return node.arguments.some(({ type, value }) => type === 'Literal' && typeof value === 'string' && /^[A-Z].* .*\.$/s.test(value))
}

const SKIPPED = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'ThrowStatement'])

function isTold(node, text) {
  const call = node.type === 'ExpressionStatement' ? node.expression : node
  return call.type === 'CallExpression' && TOLD.test(text.slice(call.callee.start, call.callee.end).replaceAll('?.', '.'))
}

const sides = (node, { text }) => [text.slice(node.left.start, node.left.end), text.slice(node.right.start, node.right.end)]
/** The operator between two sides: what lies between them may hold brackets and comments too. */
function operatorOf(node, { text }) {
  const start = text.indexOf(node.operator, node.left.end)
  return { start, end: start + node.operator.length }
}

const condition = (node, _parent, { text, add }) => {
  if (!node.test || isConstant(node.test)) return
  const was = short(text.slice(node.test.start, node.test.end))
  // A loop that never ends tells nothing that a test would.
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') add(node.test, 'true', `the condition ${was} holds`)
  add(node.test, 'false', `the condition ${was} does not hold`)
}

const VISITS = {
  IfStatement: condition,
  ConditionalExpression: condition,
  WhileStatement: condition,
  ForStatement: condition,
  LogicalExpression(node, _parent, given) {
    // The operator counts as executed with its right side alone.
    if (node.operator === '??') return given.add({ ...operatorOf(node, given), at: node.left.start }, '&&', '?? is &&')
    const [left, right] = sides(node, given)
    given.add(node, `(${left})`, `${node.operator} ${short(right)} is left out`)
    given.add(node, `(${right})`, `${short(left)} ${node.operator} is left out`)
  },
  BinaryExpression(node, _parent, given) {
    const isText = [node.left, node.right].some(({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string')
    const other = COMPARED[node.operator] ?? (isText ? undefined : COUNTED[node.operator])
    if (other) given.add(operatorOf(node, given), other, `${node.operator} is ${other}`)
  },
  UnaryExpression(node, _parent, { text, add }) {
    if (node.operator === '!') add(node, text.slice(node.argument.start, node.argument.end), 'what is negated is not')
  },
  UpdateExpression(node, _parent, { text, add }) {
    const was = text.slice(node.start, node.end)
    add(node, was.replace(node.operator, node.operator === '++' ? '--' : '++'), 'what is counted up is counted down')
  },
  ExpressionStatement(node, _parent, { text, add }) {
    let call = node.expression
    while (call.type === 'AwaitExpression' || call.type === 'YieldExpression' || call.type === 'UnaryExpression') call = call.argument
    if (['CallExpression', 'AssignmentExpression', 'ChainExpression'].includes(call.type))
      add(node, '{}', `${short(text.slice(node.start, node.end))} is left out`)
  },
  ReturnStatement(node, _parent, { add }) {
    if (node.argument && !isNothing(node.argument)) add(node.argument, 'undefined', 'it returns undefined')
  },
  ArrowFunctionExpression(node, _parent, { add }) {
    if (node.expression && !isNothing(node.body) && node.body.type !== 'LogicalExpression')
      add(node.body, 'undefined', 'it returns undefined')
  },
  Literal(node, parent, { add }) {
    if (parent.type === 'Property' && parent.key === node) return
    if (typeof node.value === 'boolean') add(node, String(!node.value), `${node.value} is ${!node.value}`)
    else if (typeof node.value === 'bigint') add(node, `${node.value + 1n}n`, `${node.raw} is ${node.value + 1n}n`)
    else if (typeof node.value === 'number') {
      // Of a time or a size nobody should have to notice one more or less; that it is none, or twice as much, somebody should.
      for (const other of node.value < 100 ? [node.value + 1, node.value - 1] : [0, node.value * 2])
        if (other >= 0) add(node, String(other), `${node.raw} is ${other}`)
    } else if (typeof node.value === 'string' && NAME.test(node.value)) add(node, "'changed'", `${node.raw} is 'changed'`)
  },
  CallExpression(node, _parent, { text, add }) {
    const { callee } = node
    if (callee.type !== 'MemberExpression' || callee.computed) return
    const other = CALLED[callee.property.name]
    if (other) add(callee.property, other, `${callee.property.name} is ${other}`)
    if (LEFT_OUT.includes(callee.property.name))
      add(node, text.slice(callee.object.start, callee.object.end), `.${callee.property.name}() is left out`)
  },
  ArrayExpression(node, _parent, { add }) {
    if (node.elements.length > 0) add(node, '[]', 'the list is empty')
  },
  TaggedTemplateExpression(node, _parent, { text, add }) {
    if (!SQL_TAGS.includes(text.slice(node.tag.start, node.tag.end))) return
    const { start, expressions } = node.quasi
    for (const change of sqlChanges(
      text.slice(start, node.end),
      expressions.map((each) => [each.start - start, each.end - start]),
    ))
      add({ start: start + change.start, end: start + change.end }, change.now, change.what)
  },
}

function isConstant({ type }) {
  return type === 'Literal'
}

/** Whether it is nothing already. */
function isNothing({ type, name, operator }) {
  return (type === 'Identifier' && name === 'undefined') || (type === 'UnaryExpression' && operator === 'void')
}

function short(text) {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
