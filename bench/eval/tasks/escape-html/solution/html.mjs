const CODES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text) {
  return text.replaceAll(/[&<>"']/g, (character) => CODES[character]);
}
