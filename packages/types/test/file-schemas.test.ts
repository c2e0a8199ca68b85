// The JSON schemas of schema files: mistakes in a file are named, and nothing else is.

import { Ajv, type ValidateFunction } from 'ajv'
import t from 'tap'
import { writeFileSchemas } from '../src/index.ts'
import { startKernel } from './fixtures/compiled.ts'

function validators(kernel: Parameters<typeof writeFileSchemas>[0]) {
  const { contentType, component } = writeFileSchemas(kernel)
  const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true })
  return { contentType: ajv.compile(JSON.parse(contentType)), component: ajv.compile(JSON.parse(component)) }
}

/** The places and messages of what is wrong; those of the conditions themselves say nothing more. */
function faultsOf(validate: ValidateFunction, schema: unknown): string[] {
  if (validate(schema)) return []
  return validate.errors!.filter(one => one.keyword !== 'if').map(one => `${one.instancePath} ${one.message}`)
}

t.test('options of plugins say what they mean', async t => {
  const { properties, definitions } = JSON.parse(writeFileSchemas(await startKernel(t)).contentType)
  t.ok(properties.options.$ref.endsWith('/options'))
  t.equal(definitions.options.properties.draftAndPublish.description, 'True if entries may be drafts.')
  t.match(
    definitions.pluginOptions.properties.i18n.properties.localized.description,
    /^True if the type has translations/,
  )
})

t.test('mistakes', async t => {
  const { contentType, component } = validators(await startKernel(t))
  const info = { singularName: 'note', pluralName: 'notes', displayName: 'Note' }
  const faults = (attribute: object, more: object = {}) =>
    faultsOf(contentType, { $schema: './x.json', info, attributes: { a: attribute }, ...more })
  const excess = 'must NOT have additional properties'
  const string = { type: 'string' }

  t.same(faults({ type: 'string', maxLength: 5, hint: 'of v4', 'x-tool': 1, unique: 'perLocale' }), [])
  t.same(faults({ type: 'colour', anything: 'of a plugin' }), [])
  t.same(faults({ type: 'relation', relation: 'oneToOne', target: 'api::author.author' }), [])
  t.same(faults({ type: 'relation', relation: 'oneToOne', target: 'plugin::any.thing' }), [])
  t.same(faults(string, { options: { draftAndPublish: true, privateAttributes: ['a'] } }), [])
  t.same(faults(string, { pluginOptions: { i18n: { localized: true }, other: { anything: 1 } } }), [])

  t.same(faults({ type: 'string', requird: true }), [`/attributes/a ${excess}`])
  t.same(faults({ type: 'string', target: 'api::author.author' }), [`/attributes/a ${excess}`])
  t.same(faults({ type: 'string', maxLength: '5' }), ['/attributes/a/maxLength must be integer'])
  t.same(faults({ type: 'strin' }), ['/attributes/a/type must be equal to one of the allowed values'])
  t.same(faults({ required: true }), ["/attributes/a must have required property 'type'"])
  t.match(faults({ type: 'relation', relation: 'oneToOne', target: 'api::auther.author' }), [
    /^\/attributes\/a\/target/,
  ])
  t.match(faults({ type: 'relation', relation: 'oneToTwo' }), [/^\/attributes\/a\/relation must be equal to one/])
  t.match(faults({ type: 'component', component: 'shared.soe' }), [/^\/attributes\/a\/component must be equal to one/])
  t.match(faults({ type: 'enumeration' }), ["/attributes/a must have required property 'enum'"])
  t.same(faults(string, { option: {} }), [` ${excess}`])
  t.same(faults(string, { options: { draftAndPublsh: true } }), [`/options ${excess}`])
  t.match(faults(string, { options: { draftAndPublish: 'yes' } }), [/^\/options\/draftAndPublish must be boolean/])
  t.same(faults(string, { pluginOptions: { i18n: { localised: true } } }), [`/pluginOptions/i18n ${excess}`])
  t.match(faults(string, { info: { ...info, singularName: 'My Note' } }), [/^\/info\/singularName must match pattern/])
  t.not(faultsOf(contentType, { info, attributes: { id: string } }).length, 0)

  t.same(faultsOf(component, { collectionName: 'x', attributes: { a: string } }), [])
  t.same(faultsOf(component, { attributes: {} }), [" must have required property 'collectionName'"])
  const zone = { type: 'dynamiczone', components: [] }
  t.match(faultsOf(component, { collectionName: 'x', attributes: { zone } }), [
    /^\/attributes\/zone\/type must be equal/,
  ])
})
