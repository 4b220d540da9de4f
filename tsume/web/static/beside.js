// Trees that lie beside the pages as scripts, which call TsumeTree: a page from file:// may not fetch.
// TsumeTrees.load(address) promises a tree.
"use strict";

(function () {
  // Raises an Error that is called as the phrase that says why.
  function load(address) {
    return new Promise((resolve, reject) => {
      const failed = () => reject(new Error("web.failed"));
      const script = document.createElement("script");
      window.TsumeTree = resolve;
      script.src = address;
      script.addEventListener("error", failed);
      script.addEventListener("load", failed); // a script that did not call: too late where it did
      document.head.append(script);
    });
  }

  window.TsumeTrees = { load };
})();
