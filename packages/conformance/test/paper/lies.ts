import type { Liar, Lie } from '../../src/index.ts'

const ACCOUNT = 'an account'

/** No integers, which on paper are texts of digits. */
const NO_INTEGERS: readonly (readonly [string, unknown])[] = [
  ['is null', null],
  ['is true', true],
  ['is a number', 7],
  ['is a list', []],
  ['is a word', 'soon'],
  ['is negative', '-1'],
  ['is a fraction', '1.5'],
  ['is 2^200', String(1n << 200n)],
]

/** How an endpoint lies on paper, where each call asks one question. */
export const paperLiar: Liar = {
  believed: {
    [ACCOUNT]: 'fewer than 2^100 units',
    fee: 'no more than max_fee',
    refusal: 'it costs nothing but another try',
    epoch: '2^100',
  },
  questions: ({ body }) => [body],
  answers: (_call, answer) => [answer],
  answer: (_call, answers) => answers[0]?.[0] ?? '',
  lies(question, answer) {
    const { method } = JSON.parse(question) as { method: string }
    const { result } = JSON.parse(answer) as { result: unknown }
    const lie = (what: string, message: unknown, believed?: string): Lie => ({
      name: `${method} ${what}`,
      answers: () => [JSON.stringify(message)],
      believed,
    })
    return [
      lie('answers an error', { error: 'busy' }),
      lie('answers nothing', {}),
      { name: `${method} is left out`, answers: () => [] },
      ...leaves(result, '', (value) => ({ result: value })),
    ]

    function leaves(value: unknown, path: string, put: (value: unknown) => unknown): Lie[] {
      if (Array.isArray(value))
        return [
          ...value.flatMap((item, index) => leaves(item, `${path}[${index}]`, (changed) => put(value.with(index, changed)))),
          ...(value.length > 0 ? [lie(`${path} has its first item twice`, put([value[0], ...value]))] : []),
          lie(`${path} is no list`, put('none')),
        ]
      if (typeof value === 'object' && value !== null)
        return Object.entries(value).flatMap(([name, each]) => [
          ...leaves(each, `${path}.${name}`, (changed) => put({ ...value, [name]: changed })),
          lie(`${path}.${name} is missing`, put({ ...value, [name]: undefined })),
        ])
      if (/^\d+$/.test(String(value))) {
        const about = method === 'account' ? ACCOUNT : method
        return [
          ...NO_INTEGERS.map(([what, changed]) => lie(`${path} ${what}`, put(changed))),
          lie(`${path} is one more`, put(String(BigInt(String(value)) + 1n)), about),
          lie(`${path} is 0`, put('0'), about),
        ]
      }
      return [
        ...NO_INTEGERS.map(([what, changed]) => lie(`${path} ${what}`, put(changed))),
        ...(method === 'simulate' ? [lie('refuses', put('no: not enough funds'), 'refusal')] : []),
        ...(method === 'used' ? [lie('is somebody', put('ab'.repeat(32)))] : []),
        ...(method === 'submit' ? [lie('refuses', put('refused: not enough funds'), 'refusal')] : []),
      ]
    }
  },
}
