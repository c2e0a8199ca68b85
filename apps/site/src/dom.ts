// Makes elements. Text is text: only Markdown becomes HTML, without the HTML that it contains.

import MarkdownIt from 'markdown-it'

export type Child = Node | string | null | undefined | false | readonly Child[]

/** An element with properties and children; null, undefined and false are left out. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  append(element, children)
  return element
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    if (child instanceof Node || typeof child === 'string') element.append(child)
    else append(element, child)
  }
}

const markdownIt = new MarkdownIt({ html: false, typographer: true })

/** The HTML of an attribute of the type `richtext`. */
export const markdown = (text: string | null): HTMLElement => h('div', { innerHTML: markdownIt.render(text ?? '') })
