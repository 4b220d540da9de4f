// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// What the search says, in Japanese; Sphinx has no translation of it.
Documentation.addTranslations({
  locale: "ja",
  plural_expr: "0",
  messages: {
    "Search finished, found one page matching the search query.": ["${resultCount} 件見つかりました。"],
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.":
      "見つかりませんでした。ほかの言葉で検索してみてください。",
  },
});
