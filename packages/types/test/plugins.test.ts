// config/plugins files are typed by the written settings of plugins: what is right compiles, and each wrong use is an error.

import draftPublish from '@plinth/draft-publish'
import i18n from '@plinth/i18n'
import type { Plugin } from '@plinth/kernel'
import passwords from '@plinth/passwords'
import upload from '@plinth/upload'
import t from 'tap'
import { describeSettings, writeTypes } from '../src/index.ts'
import { colour } from './fixtures/colour.ts'
import { compile } from './fixtures/compiled.ts'

const noModel = { types: [], operators: [], parameters: [] }

const plugins = new Map<string, Plugin>([
  ['upload', upload],
  ['passwords', passwords],
  ['i18n', i18n],
  ['draft-publish', draftPublish],
  ['colour', colour],
])

t.test('settings of plugins', async t => {
  const types = writeTypes(noModel, describeSettings(plugins))
  t.equal(await compile(t, { types, program: 'plugins.ts' }), '')
})

t.test('without a written file all settings are accepted', async t => {
  t.equal(await compile(t, { types: 'export {}', program: 'untyped-plugins.ts' }), '')
  t.equal(await compile(t, { types: writeTypes(noModel), program: 'untyped-plugins.ts' }), '')
})

t.test('the types of settings', t => {
  const settings = describeSettings(plugins)
  t.same(
    settings.map(one => one.name),
    ['colour', 'draft-publish', 'i18n', 'passwords', 'upload'],
  )
  t.equal(
    settings[0]!.config,
    `{
  /** How pages look. @default "dark" */
  readonly mode?: 'dark' | 'light' | undefined
  readonly palette?: {
    /** @default "#000" */
    readonly primary?: string | undefined
    readonly shades?: readonly (number)[] | undefined
  } | undefined
  readonly names?: {
    readonly [name: string]: {
      readonly hex: string
    }
  } | undefined
  readonly mix?: Plinth.Callback | undefined
  readonly open?: {
    readonly level: number
    readonly [name: string]: unknown
  } | undefined
  readonly 'two words'?: ({
    readonly a: number
    readonly [name: string]: unknown
  }) & ({
    readonly b: null
    readonly [name: string]: unknown
  }) | undefined
}`,
  )
  t.equal(settings[3]!.config, 'Plinth.Nothing')
  t.end()
})
